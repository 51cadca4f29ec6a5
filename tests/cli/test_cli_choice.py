"""Which mind a command works on."""

from __future__ import annotations

from pathlib import Path

from cli_mind import Run, parsed


def mind_of(run: Run, *arguments: str, **variables: str) -> str:
    return Path(parsed(run(*arguments, "stats", "--json", **variables))["path"]).name


def make(run: Run, *arguments: str) -> None:
    result = run("init", *arguments, "--embedder", "hashing")
    assert result.exit_code == 0, result.output


def test_the_only_mind_there_is_needs_no_choice(run: Run) -> None:
    assert mind_of(run) == "小红.mind"


def test_of_several_one_must_be_chosen(run: Run) -> None:
    make(run, "wren", "--name", "Wren")
    result = run("stats")
    assert result.exit_code == 2
    assert "wren, 小红" in result.stderr and "--mind" in result.stderr and "SOULMEM_MIND" in result.stderr
    assert mind_of(run, "--mind", "wren") == "wren.mind"
    assert mind_of(run, SOULMEM_MIND="wren") == "wren.mind"


def test_the_command_line_comes_before_the_environment_and_the_last_word_counts(run: Run) -> None:
    make(run, "wren")
    assert mind_of(run, "--mind", "小红", SOULMEM_MIND="wren") == "小红.mind"
    after = run("stats", "--mind", "小红", "--json", SOULMEM_MIND="wren")
    assert "小红.mind" in after.stdout
    assert "小红.mind" in run("--mind", "wren", "stats", "--mind", "小红", "--json").stdout


def test_a_mind_may_be_a_path(run: Run) -> None:
    make(run, "./elsewhere.mind", "--name", "Wren")
    assert Path("elsewhere.mind").exists()
    assert mind_of(run, "--mind", "./elsewhere.mind") == "elsewhere.mind"
    assert mind_of(run) == "小红.mind"


def test_without_any_mind_the_way_to_one_is_told(run: Run, tmp_path: Path) -> None:
    for arguments in (["stats"], ["ingest", str(tmp_path)], ["ask", "a"]):
        result = run(*arguments, SOULMEM_HOME=str(tmp_path / "empty"))
        assert result.exit_code == 1
        assert "soulmem init" in result.stderr
    assert not (tmp_path / "empty").exists()


def test_a_mind_that_is_not_there_is_not_made(run: Run) -> None:
    for command in (["ingest", "."], ["ask", "a"], ["cypher", "RETURN 1", "--write"], ["doctor"]):
        result = run("--mind", "nobody", *command)
        assert result.exit_code == 1
        assert "nobody" in result.stderr and "soulmem init" in result.stderr
    assert mind_of(run) == "小红.mind"


def test_init_says_where_it_is_and_knows_the_name(run: Run, home: Path) -> None:
    result = run("init", "wren", "--name", "Wren", "--embedder", "hashing")
    assert result.exit_code == 0
    assert str(home / "minds" / "wren.mind") in result.stdout
    note = parsed(run("--mind", "wren", "show", "sem_self", "--json"))["note"]
    assert note["body"]["content"] == "Wren" and note["core"] is True


def test_init_takes_its_name_from_mind_too_and_has_one_of_its_own(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("--mind", "given", "init", "--embedder", "hashing").exit_code == 0
    assert (home / "minds" / "given.mind").exists()
    assert run("init", "--embedder", "hashing", SOULMEM_HOME=str(tmp_path / "new")).exit_code == 0
    assert (tmp_path / "new" / "minds" / "mind.mind").exists()


def test_init_never_overwrites(run: Run) -> None:
    before = parsed(run("stats", "--json"))
    assert run("init", "小红", "--embedder", "hashing").exit_code == 1
    assert parsed(run("stats", "--json")) == before


def test_what_makes_a_mind_takes_its_name_from_mind_too(run: Run, home: Path) -> None:
    make(run, "wren", "--name", "Wren")
    assert run("--mind", "wren", "backup", "w.zip").exit_code == 0
    for number, given in enumerate((("--mind", "r0", "restore", "w.zip"), ("restore", "w.zip", "--mind", "r1"))):
        assert run(*given).exit_code == 0 and (home / "minds" / f"r{number}.mind").exists()
    refused = run("--mind", "r2", "restore", "w.zip", "--as", "r3")
    assert refused.exit_code == 2 and "Two minds are named, r3 and r2" in refused.stderr
    Path("cy.txt").write_text("Cy never sleeps.", encoding="utf-8")
    assert run("--mind", "cyril", "new", "Cy", "--text", "cy.txt", "--embedder", "hashing").exit_code == 0
    assert (home / "minds" / "cyril.mind").exists()


def test_what_works_on_no_mind_refuses_one(run: Run) -> None:
    commands = (
        ["demo"],
        ["minds"],
        ["completion", "bash"],
        ["config", "path"],
        ["config", "test"],
        ["tune", "compare", "a", "b"],
    )
    for command in commands:
        for given in (["--mind", "x", *command], [*command, "--mind", "x"]):
            refused = run(*given)
            assert refused.exit_code == 2 and "no mind to choose with --mind" in refused.stderr
    assert "--keep" in run("--mind", "x", "demo").stderr and run("minds", SOULMEM_MIND="x").exit_code == 0
