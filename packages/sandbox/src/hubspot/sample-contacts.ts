/** People of a small shop, as a CRM holds them: with numbers in several spellings, one without, and two who share one. */
export const sampleContacts: readonly Record<string, string>[] = [
  person('Ana', 'Diaz', 'ana.diaz@norte.example', '+34 612 345 601', 'Norte Textil', 'Bilbao'),
  person('Jonas', 'Weber', 'jonas.weber@weber-bau.example', '+49 1512 3456702', 'Weber Bau', 'Hamburg'),
  person('Chloé', 'Martin', 'chloe@atelier-martin.example', '+33 6 12 34 56 03', 'Atelier Martin', 'Lyon'),
  person('Rui', 'Carvalho', 'rui@carvalho.example', '+351 912 345 604', 'Carvalho & Filhos', 'Porto'),
  person('Grace', 'Okafor', 'grace@okafor.example', '+234 803 234 5605', 'Okafor Foods', 'Lagos'),
  person('Daniel', 'Smith', 'daniel.smith@greenfield.example', '+1 415 555 2606', 'Greenfield', 'Oakland'),
  person('Priya', 'Raman', 'priya@raman.example', '+91 98765 43607', 'Raman Silks', 'Chennai'),
  person('Lucía', 'Fernández', 'lucia@fernandez.example', '+52 55 1234 5608', 'Fernández Moda', 'México'),
  person('Tom', 'Baker', 'tom@baker-sons.example', '+44 7911 123609', 'Baker & Sons', 'Leeds'),
  person('Sofia', 'Rossi', 'sofia.rossi@rossi.example', '+39 347 123 4610', 'Rossi Arredi', 'Torino'),
  person('Without', 'Phone', 'no-phone@norte.example', '', 'Norte Textil', 'Bilbao'),
  person('Anna', 'Shared', 'anna@family.example', '+44 7911 123612', '', 'York'),
  person('Ben', 'Shared', 'ben@family.example', '+44 7911 123612', '', 'York'),
];

function person(
  firstname: string,
  lastname: string,
  email: string,
  phone: string,
  company: string,
  city: string,
): Record<string, string> {
  return {
    ...{ firstname, lastname, email, city },
    ...(phone && { phone }),
    ...(company && { company }),
    lifecyclestage: 'customer',
  };
}
