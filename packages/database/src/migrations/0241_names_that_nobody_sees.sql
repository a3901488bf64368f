-- Names of signs that nobody sees are none: such contacts are called by their number or id, as when they are met without a name.
UPDATE contacts SET name = coalesce(phone, platform_user_id), version = version + 1
 WHERE coalesce(phone, platform_user_id) IS NOT NULL
   AND translate(name, E'\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u2800\u3000\u3164\ufe0e\ufe0f\ufeff\uffa0 ', '') = '';
--> statement-breakpoint
-- An opt-out holds for the person: where a number is there in both of its spellings and one of the two opted out, so does the other from here on.
INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at)
SELECT o.workspace_id, o.id, 'opt_out', 'staff', 'The same number in its other spelling opted out', c.opted_out_at
  FROM contacts c JOIN contacts o ON o.workspace_id = c.workspace_id AND o.phone = other_spelling(c.phone)
 WHERE c.opted_out_at IS NOT NULL AND o.opted_out_at IS NULL;
--> statement-breakpoint
SELECT set_config('app.consent_recorded', 'yes', true);
--> statement-breakpoint
UPDATE contacts o SET opted_out_at = c.opted_out_at, version = o.version + 1
  FROM contacts c
 WHERE o.workspace_id = c.workspace_id AND o.phone = other_spelling(c.phone) AND c.opted_out_at IS NOT NULL AND o.opted_out_at IS NULL;
--> statement-breakpoint
SELECT set_config('app.consent_recorded', '', true);
