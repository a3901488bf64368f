-- Ivory Coast (eight digits until 2021) and Benin (until 2024) have numbers in two spellings, too. The rules are those of number-spellings.ts.
CREATE OR REPLACE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN phone ~ '^\+521\d{10}$' THEN '+52' || substr(phone, 5)
              WHEN phone ~ '^\+549\d{10}$' THEN '+54' || substr(phone, 5)
              WHEN phone ~ '^\+55\d\d[6-9]\d{7}$' THEN left(phone, 5) || '9' || substr(phone, 6)
              WHEN phone ~ '^\+225[23]\d{7}$' THEN
                '+225' || CASE substr(phone, 7, 1) WHEN '8' THEN '21' WHEN '0' THEN '25' ELSE '27' END || substr(phone, 5)
              WHEN phone ~ '^\+225\d{8}$' THEN
                '+225' || CASE WHEN substr(phone, 6, 1) <= '3' THEN '01' WHEN substr(phone, 6, 1) <= '6' THEN '05' ELSE '07' END || substr(phone, 5)
              WHEN phone ~ '^\+229\d{8}$' THEN '+22901' || substr(phone, 5)
              ELSE phone END
$$;
--> statement-breakpoint
-- The index holds what the function said before.
DROP INDEX contacts_phone_variant;
--> statement-breakpoint
CREATE INDEX contacts_phone_variant ON contacts (workspace_id, phone_key(phone)) WHERE phone_key(phone) <> phone;
--> statement-breakpoint
-- The other spelling of a number that has one, else null.
CREATE FUNCTION other_spelling(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN phone !~ '^\+(5[245]|22[59])' THEN NULL
              WHEN phone_key(phone) <> phone THEN phone_key(phone)
              WHEN phone ~ '^\+52\d{10}$' THEN '+521' || substr(phone, 4)
              WHEN phone ~ '^\+54\d{10}$' THEN '+549' || substr(phone, 4)
              WHEN phone ~ '^\+55\d\d9[6-9]\d{7}$' THEN left(phone, 5) || substr(phone, 7)
              WHEN phone ~ '^\+225\d{10}$' AND phone_key('+225' || substr(phone, 7)) = phone THEN '+225' || substr(phone, 7)
              WHEN phone ~ '^\+22901\d{8}$' THEN '+229' || substr(phone, 7) END
$$;
