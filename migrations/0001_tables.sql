-- Tables of the services. Names are text COLLATE "C", whose order is the order
-- of bytes, as in the other stores. Columns named "other" contain members of
-- records for which this version has no column. The owner of a key, item or
-- purchase exists; foreign keys ensure this for every program that writes.

CREATE TABLE gen_owners (
  username text COLLATE "C" PRIMARY KEY,
  firstname text NOT NULL,
  lastname text NOT NULL,
  email text NOT NULL,
  balance double precision NOT NULL,
  currency text NOT NULL,
  profile json NOT NULL,
  registered_at timestamptz NOT NULL,
  other json
);

CREATE TABLE gen_keys (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL REFERENCES gen_owners DEFERRABLE INITIALLY DEFERRED,
  hash text NOT NULL,
  created_at timestamptz NOT NULL,
  other json
);
CREATE INDEX gen_keys_by_owner ON gen_keys (owner, id);

CREATE TABLE gen_items (
  owner text COLLATE "C" NOT NULL REFERENCES gen_owners DEFERRABLE INITIALLY DEFERRED,
  id bigint NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  has_support boolean NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  sub_category text NOT NULL,
  options text[] NOT NULL,
  version text NOT NULL,
  demo_link text NOT NULL,
  tags text[] NOT NULL,
  thumbnail text NOT NULL,
  preview_image text,
  preview_video text,
  preview_audio text,
  screenshots text[] NOT NULL,
  regular_price double precision NOT NULL,
  extended_price double precision NOT NULL,
  currency text NOT NULL,
  published_at timestamptz NOT NULL,
  other json,
  PRIMARY KEY (owner, id)
);

-- The version changes with each change of an owner's items.
CREATE TABLE gen_item_versions (
  owner text COLLATE "C" PRIMARY KEY REFERENCES gen_owners DEFERRABLE INITIALLY DEFERRED,
  version bigint NOT NULL
);

CREATE TABLE gen_purchases (
  owner text COLLATE "C" NOT NULL REFERENCES gen_owners DEFERRABLE INITIALLY DEFERRED,
  code text COLLATE "C" NOT NULL,
  license_type text NOT NULL,
  price double precision NOT NULL,
  currency text NOT NULL,
  item_id bigint NOT NULL,
  supported_until timestamptz,
  is_downloaded boolean NOT NULL,
  date timestamptz NOT NULL,
  other json,
  PRIMARY KEY (owner, code),
  FOREIGN KEY (owner, item_id) REFERENCES gen_items DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE gen_migrations (
  org text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  guid text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  flags json NOT NULL,
  repositories text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  attempts integer NOT NULL,
  takeovers integer,
  reason text,
  other json,
  PRIMARY KEY (org, id)
);

CREATE TABLE gen_migration_jobs (
  org text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  migration bigint NOT NULL,
  PRIMARY KEY (org, id)
);

CREATE TABLE gen_migration_archives (
  id bigint PRIMARY KEY,
  org text COLLATE "C" NOT NULL,
  guid text NOT NULL,
  size bigint NOT NULL,
  created_at timestamptz NOT NULL,
  file text,
  other json
);

CREATE TABLE gen_repository_locks (
  org text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  migration bigint NOT NULL,
  other json,
  PRIMARY KEY (org, name)
);

CREATE TABLE gen_repositories (
  org text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  description text,
  default_branch text NOT NULL,
  pushed_at timestamptz,
  created_at timestamptz NOT NULL,
  size bigint NOT NULL,
  other json,
  PRIMARY KEY (org, key)
);

CREATE TABLE gen_accounts (
  name text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL
);

CREATE SEQUENCE gen_account_ids OWNED BY gen_accounts.id;
CREATE SEQUENCE gen_migration_ids OWNED BY gen_migrations.id;
CREATE SEQUENCE gen_repository_ids OWNED BY gen_repositories.id;

-- Settings and other records that no query selects by their members.
CREATE TABLE gen_records (
  tbl text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (tbl, key)
);

-- Older versions use a table called gen_store. The view makes their statements
-- fail, so that a replica that has not been updated can't acknowledge writes
-- that updated replicas do not see.
CREATE FUNCTION gen_moved() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this database has been migrated; update this installation of gen';
END $$;
CREATE VIEW gen_store AS
  SELECT gen_moved() AS tbl, gen_moved()::bytea AS key, gen_moved() AS value;
