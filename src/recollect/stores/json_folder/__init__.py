"""The JSON folder: a memory that people can read and version control can follow, kept by one writing process.

`store` is the port; `files` what stands in the files, `counters` that of what was counted, `blocks` those of the search
index, `manifest` which of them belong together, `state` what they hold, `generation` writing and copying all of them,
`disk` how a file is written, `rescue` what a damaged folder still holds.
"""

from recollect.stores.json_folder.store import JsonFolderStore

__all__ = ["JsonFolderStore"]
