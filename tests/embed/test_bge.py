"""The bge embedder on a tiny BERT that is made here: real FlagEmbedding, real tokenizer, random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soulmem.embed import baseline, open_embedder
from soulmem.embed.bge import BgeEmbedder
from soulmem.embed.chunks import chunks
from soulmem.errors import EmbedderError

pytestmark = pytest.mark.bge

INSTRUCTION = "为这个句子生成表示以用于检索相关文章："
LONG = "小红在海边的小城长大。她记得每年夏天外婆都会带她去赶海，回来的路上买一根冰棍。" * 12


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "bge-tiny-zh")


def tiny_bert(folder: Path) -> Path:
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    characters = sorted(set(INSTRUCTION + LONG + "猫狗天气很好今爱喜欢吃辣的"))
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *characters,
        *"abcdefghijklmnopqrstuvwxyz",
        *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"),
        ".",
        ",",
    ]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=512,
        initializer_range=0.5,
    )
    BertModel(config).eval().save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def embedder(folder: Path) -> BgeEmbedder:
    model = open_embedder(f"bge:{folder}")
    assert isinstance(model, BgeEmbedder)
    return model


@pytest.fixture(scope="session")
def reference(folder: Path) -> Any:
    """One text at a time through transformers alone: the first token's last state, brought to length 1."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    def embed(text: str) -> np.ndarray[Any, Any]:
        with torch.no_grad():
            state = model(**tokenizer(text, return_tensors="pt", truncation=True, max_length=512)).last_hidden_state[0, 0].numpy()
        return state / np.linalg.norm(state)

    return embed


TEXTS = ["猫", "今天天气很好。", "a cat and a dog", "小红喜欢吃辣", "🙂"]


def test_passages_are_the_first_tokens_state(embedder: BgeEmbedder, reference: Any) -> None:
    assert embedder.passages(TEXTS) == pytest.approx(np.array([reference(text) for text in TEXTS]), abs=1e-5)


def test_queries_follow_the_instruction(embedder: BgeEmbedder, reference: Any) -> None:
    assert embedder.queries(TEXTS) == pytest.approx(np.array([reference(INSTRUCTION + text) for text in TEXTS]), abs=1e-5)


def test_long_texts_are_the_mean_of_their_chunks_each_after_the_instruction(embedder: BgeEmbedder, reference: Any) -> None:
    pieces = [piece.strip() for piece in chunks(LONG, 200)]
    assert len(pieces) > 2
    for instruction, encode in ((INSTRUCTION, embedder.queries), ("", embedder.passages)):
        mean = np.mean([reference(instruction + piece) for piece in pieces], axis=0)
        assert encode([LONG])[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_text_does_not_depend_on_its_company(embedder: BgeEmbedder) -> None:
    many = [*TEXTS, LONG, *(f"{text}{LONG[: 9 * place]}" for place, text in enumerate(TEXTS * 10))]
    together = embedder.passages(many)
    assert together[: len(TEXTS)] == pytest.approx(embedder.passages(TEXTS), abs=1e-5)
    assert (embedder.passages(many) == together).all()


def test_rows_have_length_one_and_blank_ones_are_zero(embedder: BgeEmbedder) -> None:
    rows = embedder.queries([*TEXTS, "", " \n", "\x00", "\ud800", "a\x00b"])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1] * 5 + [0] * 3 + [1] * 2, abs=1e-6)
    assert embedder.passages([]).shape == (0, embedder.dimension) == (0, 32)


def test_nothing_is_printed(embedder: BgeEmbedder, capfd: pytest.CaptureFixture[str]) -> None:
    embedder.passages([f"{text} {place}" for place, text in enumerate(TEXTS * 30)])
    assert capfd.readouterr() == ("", "")


def test_the_name_holds_the_whole_path(embedder: BgeEmbedder, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert BgeEmbedder(folder.name).name == embedder.name == f"bge:{folder}"


def test_other_families_have_other_instructions(tmp_path: Path) -> None:
    english, many = (BgeEmbedder(str(tiny_bert(tmp_path / name))) for name in ("bge-tiny-en-v1.5", "bge-m3"))
    instruction = "Represent this sentence for searching relevant passages: "
    assert english.queries(["a cat"]) == pytest.approx(english.passages([instruction + "a cat"]), abs=1e-5)
    assert many.queries(["a cat"]) == pytest.approx(many.passages(["a cat"]), abs=1e-5)


def test_its_baseline_can_be_measured(embedder: BgeEmbedder) -> None:
    assert 0 <= baseline(embedder) < 1


@pytest.mark.parametrize("model", ["nobody/has-this-model", "./no/such/folder", "not a name: at all"])
def test_a_model_that_is_not_there(model: str) -> None:
    with pytest.raises(EmbedderError, match=r"cannot be loaded.*\n.*folder"):
        open_embedder(f"bge:{model}")


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        open_embedder(f"bge:{tmp_path}")


def test_weights_that_are_damaged(tmp_path: Path) -> None:
    damaged = tiny_bert(tmp_path / "bge-damaged")
    weights = damaged / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        open_embedder(f"bge:{damaged}")
