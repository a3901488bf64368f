-- Sessions, passwords, reset links and failed sign-ins are read before a workspace is known, by processes of system scope
-- alone: a query in the name of a workspace finds none of them, whatever it forgets.
CREATE FUNCTION guard_system(guarded regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded);
  EXECUTE format(
    'CREATE POLICY system_guard ON %s USING ((SELECT current_setting(''app.scope'', true)) = ''system'')', guarded);
END $$;
--> statement-breakpoint
SELECT guard_system('sessions');
--> statement-breakpoint
SELECT guard_system('accounts');
--> statement-breakpoint
SELECT guard_system('verifications');
--> statement-breakpoint
SELECT guard_system('users');
--> statement-breakpoint
-- People may be members of several workspaces, and each of those reads their names and time zones; none writes them.
CREATE POLICY member_guard ON users FOR SELECT USING (EXISTS (
  SELECT FROM memberships m WHERE m.user_id = users.id
    AND m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)));
