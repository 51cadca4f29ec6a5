"""Keys: where they come from, what they look like, and how texts are freed of them. Keys are never stored and never shown."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

#: The variable that comes before any provider's own.
KEY_VARIABLE = "SOULMEM_MODEL_API_KEY"
#: The name under which the system keyring keeps keys for soulmem; the user name is the provider, or the server's host.
KEYRING_SERVICE = "soulmem"

BLACKED_OUT = "***"
_SHORTEST_SECRET = 6
_LONGEST_REASON = 300
_SECRET_VARIABLE = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL")

#: Beginnings that providers give to keys, and the variable each belongs into.
_PREFIXES = {
    "sk-ant-": "ANTHROPIC_API_KEY",
    "sk-or-": "OPENROUTER_API_KEY",
    "sk-": None,
    "pk-": None,
    "rk-": None,
    "AIza": "GEMINI_API_KEY",
    "gsk_": "GROQ_API_KEY",
    "hf_": "HF_TOKEN",
    "xai-": "XAI_API_KEY",
    "r8_": "REPLICATE_API_KEY",
    "pplx-": "PERPLEXITYAI_API_KEY",
    "nvapi-": "NVIDIA_NIM_API_KEY",
    "ghp_": "GITHUB_API_KEY",
    "github_pat_": "GITHUB_API_KEY",
    "AKIA": "AWS_ACCESS_KEY_ID",
    "eyJ": None,
}
_KNOWN_SHAPES = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, _PREFIXES))})[\w.*\-]{{6,}}")
#: ``Bearer …``, ``Basic …``, ``api_key=…``, ``"x-api-key": "…"``
_ANNOUNCED = re.compile(
    r"(?i)\b((?:bearer|basic)\s+|(?:[\w-]*(?:api[_-]?key|secret|token|password|passwd|authorization))[\"']?\s*[=:]\s*[\"']?"
    r"(?:bearer\s+|basic\s+)?)([^\s\"',;&}\]]{4,})"
)
_IN_URL = re.compile(r"(?<=://)[^/\s@]*:[^/\s@]*@")
_RUN = re.compile(r"[A-Za-z0-9_\-+/=.]{20,}")
_UUID = re.compile(r"(?i)(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
_LEAST_BITS = 3.0


def redacted(text: str, known: Iterable[str | None] = (), environment: Mapping[str, str] = os.environ) -> str:
    """``text`` with every key blacked out: those ``known``, those in ``environment``, and whatever looks like one."""
    secrets = {secret for secret in known if secret} | {
        value for name, value in environment.items() if _SECRET_VARIABLE.search(name.upper())
    }
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, BLACKED_OUT)
    text = _IN_URL.sub(f"{BLACKED_OUT}@", text)
    text = _ANNOUNCED.sub(lambda match: match[1] + BLACKED_OUT, text)
    text = _KNOWN_SHAPES.sub(BLACKED_OUT, text)
    return _RUN.sub(lambda match: BLACKED_OUT if _is_random(match[0]) else match[0], text)


def reason(text: str, known: Iterable[str | None] = (), environment: Mapping[str, str] = os.environ) -> str:
    """``text`` of a provider as it may be shown: without keys, on one line, shortened."""
    line = " ".join(redacted(text, known, environment).split())
    return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"


def looks_like_key(value: str) -> bool:
    """Whether ``value`` is, or holds, what is most likely a key or a password."""
    return bool(_KNOWN_SHAPES.search(value) or _IN_URL.search(value) or any(map(_is_random, _RUN.findall(value))))


def variable_for(value: str, model: str | None) -> str:
    """The environment variable that a key which looks like ``value`` belongs into, for a model called ``model``."""
    for prefix, variable in _PREFIXES.items():
        if variable and value.strip().startswith(prefix):
            return variable
    provider = (model or "").partition("/")[0]
    return provider_variable(provider) if "/" in (model or "") and provider else KEY_VARIABLE


def provider_variable(provider: str) -> str:
    """The variable of a provider's own: ``OPENAI_API_KEY``."""
    return f"{re.sub(r'[^A-Z0-9]', '_', provider.upper())}_API_KEY"


def key_for(model: str, base_url: str | None, environment: Mapping[str, str] = os.environ) -> str | None:
    """The key to call ``model`` with; ``None``: litellm may look for one where it does.

    ``SOULMEM_MODEL_API_KEY``; else, for a server of one's own, what the keyring has for its host, or ``none``: a provider's key
    is not meant for it; else the provider's own variable, or what the keyring has for the provider.
    """
    stated = environment.get(KEY_VARIABLE)
    if stated:
        return stated
    if base_url:
        return _from_keyring(host(base_url) or "") or "none"
    provider = model.partition("/")[0]
    return environment.get(provider_variable(provider)) or _from_keyring(provider)


def host(base_url: str | None) -> str | None:
    """A server's name and port only: a URL may carry a password."""
    return urlsplit(base_url).netloc.rpartition("@")[2] or None if base_url else None


def _from_keyring(user: str) -> str | None:
    """From the system keyring, where the package ``keyring`` is installed and has one."""
    keyring = _keyring()
    if keyring is None or not user:
        return None
    try:
        found = keyring.get_password(KEYRING_SERVICE, user)
    except Exception:  # noqa: BLE001 - a locked or absent keyring is one without a key, whatever its backend raises
        return None
    return found if isinstance(found, str) and found else None


def _keyring() -> Any:
    try:
        return import_module("keyring")
    except ImportError:
        return None


def _is_random(run: str) -> bool:
    """Whether a run of letters and digits is a key rather than words: a UUID, or letters and digits as good as random."""
    if _UUID.search(run):
        return True
    longest = max(re.split(r"[/._\-+=]", run), key=len)
    changes = len(re.findall(r"[A-Za-z](?=[_\-]?\d)|\d(?=[_\-]?[A-Za-z])", run))
    return (_is_mixed(longest) and len(longest) >= 16 and _bits(longest) >= _LEAST_BITS) or (len(run) >= 24 and changes >= 7)


def _is_mixed(run: str) -> bool:
    return sum(map(str.isalpha, run)) >= 3 and sum(map(str.isdigit, run)) >= 2


def _bits(run: str) -> float:
    """Shannon entropy of the characters, in bits."""
    return -sum(count / len(run) * math.log2(count / len(run)) for count in Counter(run).values())
