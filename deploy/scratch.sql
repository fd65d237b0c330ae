-- The database in which backups are tried: empty before and afterwards.
CREATE DATABASE scratch;
