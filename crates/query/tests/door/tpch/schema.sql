-- The tables of TPC-H, each with its tenant.
create table region (tenant text, r_regionkey integer, r_name text);
create table nation (tenant text, n_nationkey integer, n_name text, n_regionkey integer);
create table supplier (tenant text, s_suppkey integer, s_name text, s_address text, s_nationkey integer, s_phone text,
    s_acctbal integer, s_comment text);
create table customer (tenant text, c_custkey integer, c_name text, c_address text, c_nationkey integer, c_phone text,
    c_acctbal integer, c_mktsegment text, c_comment text);
create table part (tenant text, p_partkey integer, p_name text, p_mfgr text, p_brand text, p_type text, p_size integer,
    p_container text);
create table partsupp (tenant text, ps_partkey integer, ps_suppkey integer, ps_availqty integer, ps_supplycost integer);
create table orders (tenant text, o_orderkey integer, o_custkey integer, o_orderstatus text, o_totalprice integer,
    o_orderdate date, o_orderpriority text, o_shippriority integer, o_comment text);
create table lineitem (tenant text, l_orderkey integer, l_partkey integer, l_suppkey integer, l_linenumber integer,
    l_quantity integer, l_extendedprice integer, l_discount numeric(15, 2), l_tax numeric(15, 2), l_returnflag text, l_linestatus text,
    l_shipdate date, l_commitdate date, l_receiptdate date, l_shipinstruct text, l_shipmode text);
