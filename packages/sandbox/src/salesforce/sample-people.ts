type Fields = Readonly<Record<string, string>>;

/** Customers of a trading company: with numbers in several spellings, one without, and two who share one. */
export const sampleContacts: readonly Fields[] = [
  contact('Helena', 'Sousa', 'helena.sousa@lusovinhos.example', '+351 912 888 101', 'Buyer', 'Porto'),
  contact('Karl', 'Neumann', 'k.neumann@neumann-logistik.example', '+49 1512 8888102', 'CEO', 'Bremen'),
  contact('Camille', 'Laurent', 'camille@laurent-deco.example', '+33 6 12 88 81 03', 'Owner', 'Nantes'),
  contact('Iker', 'Etxeberria', 'iker@etxe.example', '+34 612 888 104', 'Purchasing', 'Donostia'),
  contact('Olivia', 'Hughes', 'olivia@hughes-parts.example', '+44 7911 888105', 'Operations', 'Bristol'),
  contact('Marcus', 'Reed', 'marcus.reed@reedsupply.example', '(415) 555-2188', 'Buyer', 'Oakland'),
  contact('Aisha', 'Bello', 'aisha@bello.example', '+234 803 888 5107', 'Owner', 'Abuja'),
  contact('Without', 'Number', 'desk@lusovinhos.example', '', 'Office', 'Porto'),
  contact('Nora', 'Lind', 'nora@lind.example', '+46 70 888 51 09', 'Owner', 'Malmö'),
  contact('Per', 'Lind', 'per@lind.example', '+46 70 888 51 09', 'Owner', 'Malmö'),
];

/** People who asked at a fair, and are no customers yet. */
export const sampleLeads: readonly Fields[] = [
  lead('Diego', 'Ramos', 'diego@ramos-hosteleria.example', '+34 612 888 201', 'Ramos Hostelería'),
  lead('Mei', 'Tan', 'mei.tan@tanimports.example', '+65 8123 8202', 'Tan Imports'),
  lead('Fatou', 'Diop', 'fatou@diop.example', '+221 77 888 82 03', 'Diop Frères'),
];

function contact(
  FirstName: string,
  LastName: string,
  Email: string,
  MobilePhone: string,
  Title: string,
  MailingCity: string,
): Fields {
  return { FirstName, LastName, Email, MobilePhone, Title, MailingCity };
}

function lead(
  FirstName: string,
  LastName: string,
  Email: string,
  MobilePhone: string,
  Company: string,
): Fields {
  return { FirstName, LastName, Email, MobilePhone, Company, Status: 'Open - Not Contacted' };
}
