/** Errors of teams, see `errorTable`. */
export const teamErrors = {
  team_not_found: { status: 404, message: 'There is no such team.' },
  team_member_not_found: { status: 404, message: 'This person is not in the team.' },
  team_changed: { status: 409, message: 'Somebody else changed this team in the meantime.' },
  team_name_taken: { status: 409, message: 'A team with this name already exists.' },
  team_not_yours: { status: 403, message: 'Only those who lead this team, or manage users, may do this.' },
  team_too_small: { status: 409, message: 'The team has more members than that.' },
  team_needs_owner: { status: 409, message: 'A team keeps its owner: make somebody else the owner first.' },
  team_full: { status: 409, message: 'The team has as many members as it can have.' },
} as const;
