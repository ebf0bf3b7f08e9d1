"""Message classes generated from the column twin of proto/talus/v1; columns are `bytes`."""
