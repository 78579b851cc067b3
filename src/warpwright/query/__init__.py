"""Walk an opened report: hot spots, tables, differences. Pure functions; no file is touched."""
