CREATE TABLE series_raw (
  series integer PRIMARY KEY,
  episodes integer,
  premiere text,
  finale text,
  winner text,
  avg_uk_viewers real,
  day_of_week text,
  timeslot text,
  channel text,
  runner_up_1 text,
  runner_up_2 text
);
CREATE TABLE bakers_raw (
  series integer NOT NULL REFERENCES series_raw (series),
  baker_full text,
  baker text NOT NULL,
  age integer,
  occupation text,
  hometown text,
  baker_last text,
  baker_first text,
  PRIMARY KEY (series, baker)
);
CREATE TABLE episodes (
  series integer NOT NULL REFERENCES series_raw (series),
  episode integer NOT NULL,
  bakers_appeared integer,
  bakers_out integer,
  bakers_remaining integer,
  star_bakers integer,
  technical_winners integer,
  sb_name text,
  winner_name text,
  eliminated text,
  PRIMARY KEY (series, episode)
);
CREATE TABLE challenges (
  series integer NOT NULL,
  episode integer NOT NULL,
  baker text NOT NULL,
  result text,
  technical integer,
  PRIMARY KEY (series, episode, baker),
  FOREIGN KEY (series, baker) REFERENCES bakers_raw (series, baker),
  FOREIGN KEY (series, episode) REFERENCES episodes (series, episode)
);
CREATE TABLE ratings_raw (
  series integer NOT NULL,
  episode integer NOT NULL,
  uk_airdate text,
  viewers_7day real,
  viewers_28day real,
  network_rank integer,
  channels_rank integer,
  bbc_iplayer_requests integer,
  episode_count integer,
  PRIMARY KEY (series, episode),
  FOREIGN KEY (series, episode) REFERENCES episodes (series, episode)
);
CREATE TABLE seasons_raw (
  series integer NOT NULL,
  episode integer NOT NULL,
  us_season integer,
  us_airdate text,
  PRIMARY KEY (series, episode),
  FOREIGN KEY (series, episode) REFERENCES episodes (series, episode)
);
