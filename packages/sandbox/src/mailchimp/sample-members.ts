/** Readers of a newsletter: most with a number, some unsubscribed. */
export const sampleMembers: readonly Record<string, string>[] = [
  member('Carmen', 'Vidal', 'carmen.vidal@correo.example', '+34 612 777 101', 'es', 'subscribed'),
  member('Lukas', 'Brandt', 'lukas.brandt@post.example', '+49 1512 7777102', 'de', 'subscribed'),
  member('Élise', 'Moreau', 'elise.moreau@courrier.example', '+33 6 12 77 71 03', 'fr', 'subscribed'),
  member('Tiago', 'Nunes', 'tiago.nunes@mail.example', '+351 912 777 104', 'pt', 'unsubscribed'),
  member('Ruth', 'Bell', 'ruth.bell@mail.example', '+44 7911 777105', 'en', 'subscribed'),
  member('Sam', 'Ortiz', 'sam.ortiz@mail.example', '(415) 555-2777', 'en', 'transactional'),
  member('Old', 'Address', 'bounced@mail.example', '+44 7911 777107', 'en', 'cleaned'),
  member('No', 'Number', 'reader@mail.example', '', 'en', 'subscribed'),
];

function member(
  FNAME: string,
  LNAME: string,
  email: string,
  PHONE: string,
  language: string,
  status: string,
): Record<string, string> {
  return { FNAME, LNAME, email, PHONE, language, status };
}
