/**
 * What people have set for themselves (`u`, of users) in a workspace (`w`): of what they have chosen nothing, they are told as the workspace wants it.
 */
export const PREFERENCES_HERE = `u.preferences || jsonb_build_object('notices',
  coalesce(w.settings->'notices', '{}') || coalesce(u.preferences->'notices', '{}'))`;
