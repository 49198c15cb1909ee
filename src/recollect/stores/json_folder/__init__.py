"""The JSON folder: a memory that people can read and version control can follow, kept by one writing process.

`store` is the port; `files` what stands in the files, `blocks` those of the search index, `manifest` which of them
belong together, `state` what they hold, `disk` how they are written, `rescue` what a damaged folder still holds.
"""

from recollect.stores.json_folder.store import JsonFolderStore

__all__ = ["JsonFolderStore"]
