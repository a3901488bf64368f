/** Errors of teams, see `errorTable`. */
export const teamErrors = {
  team_not_found: { status: 404, message: 'There is no such team.' },
  team_member_not_found: { status: 404, message: 'This user is not a member of the team.' },
  team_changed: { status: 409, message: 'Someone else changed this team in the meantime.' },
  team_name_taken: { status: 409, message: 'A team with this name already exists.' },
  team_not_yours: { status: 403, message: 'Only leads of this team and users who manage users may do this.' },
  team_too_small: { status: 409, message: 'The team already has more members than this limit.' },
  team_needs_owner: { status: 409, message: 'A team needs an owner. Make another member the owner first.' },
  team_full: { status: 409, message: 'The limit of members for this team is reached.' },
} as const;
