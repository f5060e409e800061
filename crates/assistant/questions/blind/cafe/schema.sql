CREATE TABLE customers (
  id text PRIMARY KEY,
  name text
);
CREATE TABLE stores (
  id text PRIMARY KEY,
  name text,
  opened_at text,
  tax_rate real
);
CREATE TABLE products (
  sku text PRIMARY KEY,
  name text,
  type text,
  price integer,
  description text
);
CREATE TABLE supplies (
  id text NOT NULL,
  name text,
  cost integer,
  perishable integer,
  sku text NOT NULL REFERENCES products (sku),
  PRIMARY KEY (id, sku)
);
CREATE TABLE orders (
  id text PRIMARY KEY,
  customer text REFERENCES customers (id),
  ordered_at text,
  store_id text REFERENCES stores (id),
  subtotal integer,
  tax_paid integer,
  order_total integer
);
CREATE TABLE items (
  id text PRIMARY KEY,
  order_id text REFERENCES orders (id),
  sku text REFERENCES products (sku)
);
CREATE TABLE tweets (
  id text PRIMARY KEY,
  user_id text REFERENCES customers (id),
  tweeted_at text,
  content text
);
