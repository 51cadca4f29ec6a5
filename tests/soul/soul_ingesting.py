"""Ingests the files it is named, one after another, printing each that is in: usage soul_ingesting.py MIND FILE…"""

from __future__ import annotations

import sys
from pathlib import Path

from soul_minds import opened


def main() -> None:
    with opened(Path(sys.argv[1])) as soul:
        print("open", flush=True)
        try:
            for file in sys.argv[2:]:
                report = soul.ingest(file).files[0]
                assert report.refused is None, report.refused
                print(file, flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            raise SystemExit(3) from None


if __name__ == "__main__":
    main()
