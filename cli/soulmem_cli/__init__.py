"""The command line of soulmem. A command parses, calls one method of the library, prints."""
