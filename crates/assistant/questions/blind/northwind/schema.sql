create table Categories (
  CategoryID integer primary key,
  CategoryName text not null,
  Description text
);
create table Customers (
  CustomerID text primary key,
  CompanyName text not null,
  ContactName text,
  ContactTitle text,
  Address text,
  City text,
  Region text,
  PostalCode text,
  Country text,
  Phone text,
  Fax text
);
create table Employees (
  EmployeeID integer primary key,
  LastName text not null,
  FirstName text not null,
  Title text,
  TitleOfCourtesy text,
  BirthDate text,
  HireDate text,
  City text,
  Region text,
  Country text,
  ReportsTo integer references Employees (EmployeeID)
);
create table Shippers (
  ShipperID integer primary key,
  CompanyName text not null,
  Phone text
);
create table Suppliers (
  SupplierID integer primary key,
  CompanyName text not null,
  ContactName text,
  ContactTitle text,
  Address text,
  City text,
  Region text,
  PostalCode text,
  Country text,
  Phone text,
  Fax text,
  HomePage text
);
create table Products (
  ProductID integer primary key,
  ProductName text not null,
  SupplierID integer references Suppliers (SupplierID),
  CategoryID integer references Categories (CategoryID),
  QuantityPerUnit text,
  UnitPrice real,
  UnitsInStock integer,
  UnitsOnOrder integer,
  ReorderLevel integer,
  Discontinued integer not null
);
create table Orders (
  OrderID integer primary key,
  CustomerID text references Customers (CustomerID),
  EmployeeID integer references Employees (EmployeeID),
  OrderDate text,
  RequiredDate text,
  ShippedDate text,
  ShipVia integer references Shippers (ShipperID),
  Freight real,
  ShipName text,
  ShipAddress text,
  ShipCity text,
  ShipRegion text,
  ShipPostalCode text,
  ShipCountry text
);
create table OrderDetails (
  OrderID integer not null references Orders (OrderID),
  ProductID integer not null references Products (ProductID),
  UnitPrice real not null,
  Quantity integer not null,
  Discount real not null,
  primary key (OrderID, ProductID)
);
