"""A card with its pictures: a zip of ``card.json`` and the files that its assets lead to (CHARX)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from soulmem.errors import FormatError
from soulmem.ingest.cards.pictures import PORTRAIT, Picture, asset_path, media_of

_EMBEDDED = "embeded://"
#: What an asset says that is the picture that the card travels in.
_DEFAULT = "ccdefault:"
_ENDINGS = {"png": "png", "jpeg": "jpg", "webp": "webp"}
#: All files have this time, the first that a zip can have, so that equal cards are equal files.
_TIME = (1980, 1, 1, 0, 0, 0)


def portrait_of(card: Any, pictures: Sequence[Picture]) -> Picture | None:
    """The picture of the character: the one that its card came in, else its main icon, else its first icon."""
    own = next((one for one in pictures if one.path == PORTRAIT), None)
    if own is not None:
        return own
    icons = [asset for asset in _assets(card) if asset.get("type") == "icon"]
    icons.sort(key=lambda asset: asset.get("name") != "main")
    by_path = {one.path: one for one in pictures}
    return next((by_path[path] for asset in icons if (path := asset_path(asset.get("uri"))) in by_path), None)


def _assets(card: Any) -> list[Mapping[str, Any]]:
    data = card.get("data") if isinstance(card, Mapping) else None
    assets = data.get("assets") if isinstance(data, Mapping) else None
    return [asset for asset in assets if isinstance(asset, Mapping)] if isinstance(assets, list) else []


def charx_of(card: Mapping[str, Any], picture: bytes | None, pictures: Sequence[Picture]) -> bytes:
    """The zip. ``picture``: the one of the character, instead of the one that the card came in.

    Raises :class:`FormatError` for a picture that is none of PNG, JPEG and WEBP.
    """
    if picture is not None and media_of(picture) is None:
        raise FormatError("the picture is none of PNG, JPEG and WEBP", advice="Save it as one, or leave it out.")
    files = {one.path: one.data for one in pictures if one.path != PORTRAIT}
    own = picture if picture is not None else next((one.data for one in pictures if one.path == PORTRAIT), None)
    if own is not None:
        ending = _ENDINGS[media_of(own) or "png"]
        path = _free(f"assets/icon/images/main.{ending}", files)
        files[path] = own
        card = {**card, "data": {**card["data"], "assets": _with_portrait(card, path, ending)}}
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(_member("card.json"), json.dumps(card, ensure_ascii=False, indent=2), ZIP_DEFLATED)
        for path, data in files.items():
            archive.writestr(_member(path), data, ZIP_STORED)  # pictures are packed already
    return packed.getvalue()


def _member(name: str) -> ZipInfo:
    return ZipInfo(name, _TIME)


def _free(path: str, files: Mapping[str, bytes]) -> str:
    while path in files:
        path = path.replace("main", "main_", 1)
    return path


def _with_portrait(card: Mapping[str, Any], path: str, ending: str) -> list[Any]:
    """The assets, with the place of the picture of the character."""
    assets = list(card["data"].get("assets") or [])
    own = {"type": "icon", "uri": f"{_EMBEDDED}{path}", "name": "main", "ext": ending}
    for number, asset in enumerate(assets):
        if isinstance(asset, Mapping) and asset.get("type") == "icon" and asset.get("uri") == _DEFAULT:
            assets[number] = {**asset, "uri": own["uri"], "ext": ending}
            return assets
    return [*assets, own]
