-- Full-text search over titles and readable text. Contentless: the words are in the index, the text stays in `items`,
-- whose `rank` is the rowid here. Diacritics fold, so that "resume" finds "résumé".
CREATE VIRTUAL TABLE `items_search` USING fts5(
	title,
	body,
	content='',
	contentless_delete=1,
	tokenize="unicode61 remove_diacritics 2"
);
--> statement-breakpoint
-- Room for a whole run of new words in memory, so that a run becomes one segment.
INSERT INTO `items_search` (`items_search`, `rank`) VALUES ('hashsize', 8388608);
