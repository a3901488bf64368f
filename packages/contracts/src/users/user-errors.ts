/** Errors of members, invitations and roles, see `errorTable`. */
export const userErrors = {
  user_not_found: { status: 404, message: 'There is no such person in this workspace.' },
  user_changed: { status: 409, message: 'Somebody else changed this person in the meantime.' },
  user_is_self: { status: 409, message: 'Nobody changes their own role or takes away their own access.' },
  user_above: { status: 403, message: 'This person may do more than you may.' },
  user_waits: { status: 409, message: 'This person waits to be let in: activate them first.' },
  user_fields_invalid: { status: 422, message: 'Please correct the marked fields.' },
  user_elsewhere: { status: 409, message: 'This account belongs to another workspace too.' },
  role_too_high: { status: 403, message: 'Nobody gives a role that may do more than they may.' },
  workspaces_by_admins: { status: 403, message: 'Only an admin of a workspace creates another one.' },
  sample_account: {
    status: 409,
    message: 'Everybody knows the password of a sample account: use an account of your own.',
  },
  last_admin: { status: 409, message: 'A workspace keeps at least one active admin.' },
  heir_not_found: { status: 404, message: 'There is no such active person to hand over to.' },
  email_invalid: { status: 422, message: 'Please enter a valid email address' },
  user_exists: { status: 409, message: 'This address has an account in this workspace.' },
  user_invited: { status: 409, message: 'This address is invited already: send that invitation again.' },
  invitation_not_found: { status: 404, message: 'There is no such open invitation.' },
  invitation_invalid: {
    status: 422,
    message: 'This invitation has expired, was taken back or was already used.',
  },
  invitation_signed_out: {
    status: 409,
    message: 'This invitation is for an account that there is: sign in with it to join.',
  },
  invitation_of_other: { status: 409, message: 'This invitation is for another account than yours.' },
  too_many_mails: { status: 429, message: 'This was mailed a moment ago. Please try again later.' },
  role_permissions_changed: { status: 409, message: 'Somebody else changed the permissions meanwhile.' },
  permission_not_held: { status: 403, message: 'Nobody decides on permissions that they do not have.' },
} as const;
