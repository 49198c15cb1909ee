"""The JSON folder: a memory that people can read and version control can follow, kept by one writing process.

`store` is the port. What people see: `views` an entry, `sheets` a file of entries, `shelf` all of them on the disk,
`edits` what becomes of those that people changed, `outdated` what no longer follows from them. What programs need:
`files` what stands in the files, `counters` that of what was counted, `blocks` those of the search index, `manifest`
which of them belong together, `state` what they hold, `generation` writing and copying them, `reading` all that is
read, `disk` how a file is written, `rescue` what a damaged folder still holds.
"""

from recollect.stores.json_folder.store import JsonFolderStore

__all__ = ["JsonFolderStore"]
