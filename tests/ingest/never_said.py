"""Files of every format with a word in each place that a format has. The word tells what is to become of what stands there:

``SAID`` was said, ``HIDDEN`` is kept as a hidden message, ``NEVER`` nowhere, ``ASIDE`` only in what is kept of a card.
"""

from __future__ import annotations

import json
from typing import Any

from card_files import book, card


def _line(mes: Any, **more: Any) -> dict[str, Any]:
    return {"name": "Mira", "is_user": False, "is_system": False, "mes": mes} | more


def _lines(*values: Any) -> str:
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)


_SILLYTAVERN = _lines(
    {
        "user_name": "Jon",
        "character_name": "Mira",
        "chat_metadata": {"note_prompt": "NEVER", "variables": {"NEVER": "NEVER"}, "persona": "NEVER", "world_info": "NEVER"},
        "notes": "NEVER",
    },
    _line("SAID one", swipes=["NEVER", "SAID one", "NEVER"], swipe_id=1, swipe_info=[{"extra": {"reasoning": "NEVER"}}]),
    _line(
        "<think>NEVER</think>SAID two", extra={"reasoning": "NEVER", "memory": "NEVER", "display_text": "NEVER", "bias": "NEVER"}
    ),
    _line("SAID three <StatusBlock>NEVER</StatusBlock><!-- NEVER -->", title="NEVER", gen_id="NEVER"),
    _line("HIDDEN", is_system=True),
    _line("HIDDEN", extra={"type": "comment"}),
    _line("SAID <UpdateVariable>NEVER</UpdateVariable>", name="Sys", extra={"type": "narrator"}),
    _line(
        "SAID four",
        name="Jon",
        is_user=True,
        extra={"files": [{"text": "NEVER"}], "branches": ["NEVER"], "bookmark_link": "NEVER"},
    ),
)

_RISUAI = {
    "type": "risuChat",
    "ver": 2,
    "data": {
        "message": [
            {"role": "char", "data": "SAID one", "generationInfo": {"model": "NEVER"}},
            {"role": "user", "data": "HIDDEN", "disabled": True},
            {"role": "char", "data": "HIDDEN", "isComment": True},
            {"role": "char", "data": "<Thoughts>NEVER</Thoughts><think>NEVER</think>SAID two", "chatId": "NEVER"},
        ],
        "note": "NEVER",
        "name": "NEVER",
        "localLore": [{"key": "NEVER", "content": "NEVER"}],
        "hypaV3Data": {"summaries": [{"text": "NEVER"}]},
        "supaMemoryData": "NEVER",
        "scriptstate": {"NEVER": "NEVER"},
    },
}

_AGNAI = {
    "name": "NEVER",
    "greeting": "NEVER",
    "sampleChat": "NEVER",
    "scenario": "NEVER",
    "systemPrompt": "NEVER",
    "messages": [
        {"msg": "SAID one", "handle": "Mira", "characterId": "m", "retries": ["NEVER", "NEVER"], "meta": {"prompt": "NEVER"}},
        {"msg": "SAID two", "handle": "Jon", "userId": "j"},
        {"msg": "HIDDEN", "handle": "Jon", "userId": "j", "ooc": True},
    ],
}

_KOBOLD = {
    "gamestarted": True,
    "prompt": "\n{{[INPUT]}}\nSAID one\n{{[OUTPUT]}}\n",
    "actions": ["SAID two", "\n{{[SYSTEM]}}\nHIDDEN\n{{[OUTPUT]}}\nSAID three"],
    "memory": "NEVER",
    "authorsnote": "NEVER",
    "anotetemplate": "NEVER",
    "worldinfo": [{"key": "NEVER", "content": "NEVER"}],
    "notes": "NEVER",
    "redo_arr": ["NEVER"],
    "savedsettings": {"chatname": "Jon", "chatopponent": "Mira", "instruct_sysprompt": "NEVER"},
}

_TURNS = {
    "turns": [
        {
            "turn_key": {"chat_id": "c", "turn_id": "2"},
            "author": {"author_id": "m", "name": "Mira"},
            "candidates": [
                {"candidate_id": "x", "raw_content": "NEVER"},
                {"candidate_id": "y", "raw_content": "SAID two", "editor": {"note": "NEVER"}},
            ],
            "primary_candidate_id": "y",
        },
        {
            "turn_key": {"chat_id": "c", "turn_id": "1"},
            "author": {"author_id": "j", "name": "Jon", "is_human": True},
            "candidates": [{"candidate_id": "z", "raw_content": "SAID one"}],
        },
    ]
}

_HISTORIES = {
    "histories": {
        "histories": [
            {
                "msgs": [
                    {"src": {"is_human": True, "name": "Jon"}, "text": "SAID one", "is_alternative": False},
                    {"src": {"is_human": False, "name": "Mira"}, "text": "NEVER", "is_alternative": True},
                    {"src": {"is_human": False, "name": "Mira"}, "text": "SAID two", "alternatives": ["NEVER"]},
                ],
                "note": "NEVER",
            },
            {
                "msgs": [
                    {"src__is_human": False, "src__name": "Mira", "text": "SAID three", "image_prompt_text": "NEVER"},
                    {"src__is_human": False, "src__name": "Mira", "text": "NEVER", "is_alternative": True},
                ]
            },
        ]
    },
    "info": {"character": {"name": "Mira", "greeting": "NEVER", "definition": "NEVER", "description": "NEVER"}},
}


def _node(role: str, text: str, parent: str | None, kind: str = "text", **about: Any) -> dict[str, Any]:
    content = {"content_type": kind, "parts": [text]} if kind in ("text", "thoughts") else {"content_type": kind, "text": text}
    return {"parent": parent, "message": {"author": {"role": role}, "content": content, "metadata": about}}


_CHATGPT = [
    {
        "title": "Talk",
        "id": "t1",
        "current_node": "e",
        "mapping": {
            "a": _node("system", "HIDDEN", None),
            "b": _node("user", "SAID one", "a"),
            "c": _node("assistant", "NEVER", "b"),
            "d": _node("assistant", "NEVER", "b", "thoughts"),
            "f": _node("tool", "HIDDEN", "d", "execution_output"),
            "e": _node("assistant", "SAID two", "f", summary="NEVER"),
            "x": _node("user", "NEVER", "c"),
        },
        "custom_instructions": "NEVER",
    }
]

_OPEN_WEBUI = [
    {
        "title": "Talk",
        "chat": {
            "params": {"system": "NEVER"},
            "files": [{"content": "NEVER"}],
            "history": {
                "currentId": "c",
                "messages": {
                    "a": {"id": "a", "parentId": None, "role": "user", "content": "SAID one"},
                    "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "NEVER"},
                    "c": {
                        "id": "c",
                        "parentId": "a",
                        "role": "assistant",
                        "content": '<details type="reasoning">NEVER</details>SAID two',
                        "statusHistory": [{"description": "NEVER"}],
                        "sources": [{"document": ["NEVER"]}],
                        "followUps": ["NEVER"],
                    },
                },
            },
        },
    }
]

_SHAREGPT = {
    "conversations": [
        {"from": "system", "value": "HIDDEN"},
        {"from": "human", "value": "SAID one"},
        {"from": "gpt", "value": "<think>NEVER</think>SAID two", "weight": "NEVER"},
        {"from": "observation", "value": "HIDDEN"},
    ],
    "tools": "NEVER",
    "system": "NEVER",
}

_OPENAI = {
    "tools": [{"description": "NEVER"}],
    "messages": [
        {"role": "system", "content": "HIDDEN"},
        {"role": "user", "content": [{"type": "text", "text": "SAID one"}, {"type": "input_file", "text": "NEVER"}]},
        {"role": "assistant", "content": "SAID two", "reasoning_content": "NEVER", "tool_calls": [{"arguments": "NEVER"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "NEVER"}, {"type": "text", "text": "SAID three"}]},
        {"role": "tool", "content": "HIDDEN"},
    ],
}


def _qq(text: str, **more: Any) -> dict[str, Any]:
    content = {"text": text, "html": "NEVER", "elements": more.pop("elements", []), "resources": [{"url": "NEVER"}]}
    return {"sender": {"uin": "1", "name": "小林", "remark": "NEVER"}, "content": content, "timestamp": 1714651260000} | more


_QUOTED = [{"type": "reply", "data": {"senderName": "阿渡", "content": "NEVER"}}]
_QQ = {
    "chatInfo": {"name": "渡口", "announcement": "NEVER"},
    "messages": [
        _qq("SAID one"),
        _qq("HIDDEN", recalled=True),
        _qq("HIDDEN", system=True, type="system"),
        _qq("[回复消息]SAID two", elements=_QUOTED),
        _qq("[回复 阿渡: NEVER]\nSAID three", elements=_QUOTED),
        _qq("[回复 阿渡(1002): NEVER[图片]] SAID four", elements=_QUOTED),
    ],
}

_OOBA = {
    "internal": [["NEVER", "NEVER"]],
    "visible": [["SAID one", "<think>NEVER</think>SAID two"]],
    "metadata": {"assistant_0": {"versions": [{"content": "NEVER"}], "name": "Mira"}},
}

_INSTRUCTIONS = {
    "creator_notes": "ASIDE",
    "system_prompt": "ASIDE",
    "post_history_instructions": "ASIDE {{original}}",
    "creator": "ASIDE",
    "creator_notes_multilingual": {"fr": "ASIDE"},
    "extensions": {"depth_prompt": {"prompt": "ASIDE", "depth": 4}, "else": {"note": "ASIDE"}},
    "character_book": book(
        {"keys": ["lamp"], "content": "@@depth 4\nSAID of the lamp.", "enabled": True, "comment": "lamp", "insertion_order": 1},
        {"keys": ["oar"], "content": "ASIDE", "enabled": False, "insertion_order": 2},
    ),
    "description": "{{char}} keeps the lamp, SAID so. {{// ASIDE}}",
    "name": "Mira",
}


def _card(**fields: Any) -> dict[str, Any]:
    return card(**_INSTRUCTIONS, first_mes="HIDDEN", alternate_greetings=["HIDDEN"], **fields)


_LOREBOOK = {
    "entries": {
        "0": {
            "uid": 0,
            "key": ["pier"],
            "content": "SAID of the pier.",
            "comment": "",
            "disable": False,
            "automationId": "ASIDE",
        },
        "1": {"uid": 1, "key": ["well"], "content": "ASIDE", "comment": "", "disable": True},
    },
    "extensions": {"note": "ASIDE"},
}

#: Format (and variant) → the file, as text.
TEXTS: dict[str, str] = {
    "sillytavern": _SILLYTAVERN,
    **{
        name: json.dumps(value, ensure_ascii=False)
        for name, value in {
            "risuai": _RISUAI,
            "agnai": _AGNAI,
            "kobold": _KOBOLD,
            "character-ai": _TURNS,
            "character-ai histories": _HISTORIES,
            "chatgpt": _CHATGPT,
            "open-webui": _OPEN_WEBUI,
            "sharegpt": _SHAREGPT,
            "openai": _OPENAI,
            "qq": _QQ,
            "ooba": _OOBA,
            "card-json": _card(),
            "lorebook": _LOREBOOK,
        }.items()
    },
    "risuai-text": "--Mira\nSAID <think>NEVER</think>one\n--Jon\nSAID two\n",
    "qq-text": "消息对象:渡口\n\n2023-05-01 9:20:31 小林(1001)\nSAID one\n\n2023-05-01 9:20:40 系统消息(10000)\nHIDDEN\n",
    "script": "Mira: SAID one\nJon: SAID two <!-- NEVER -->\n",
}
WORDS = ("SAID", "HIDDEN", "NEVER", "ASIDE")


def word(of: str, format: str) -> str:
    """The word that stands for ``of`` (one of :data:`WORDS`) in the file of ``format``: found nowhere else."""
    return f"quill{''.join(filter(str.isalpha, format))}{of.lower()}"


def planted(format: str) -> bytes:
    """The file of ``format``, with words of its own."""
    text = TEXTS[format]
    for of in WORDS:
        text = text.replace(of, word(of, format))
    return text.encode()
