/** Customers of a small shop for ceramics: numbers in the vendor's spelling, one without, and some who said yes to text messages at the checkout. */
export const sampleCustomers: readonly Record<string, string>[] = [
  customer('Marta', 'Ruiz', 'marta.ruiz@correo.example', '+34612555101', 'Sevilla', 'ES', 'SUBSCRIBED'),
  customer('Emil', 'Krause', 'emil.krause@post.example', '+4915123555102', 'Leipzig', 'DE', ''),
  customer('Inès', 'Laurent', 'ines@laurent.example', '+33612555103', 'Nantes', 'FR', 'SUBSCRIBED'),
  customer('Beatriz', 'Lopes', 'bia.lopes@mail.example', '+351912555104', 'Braga', 'PT', ''),
  customer('Oliver', 'Hughes', 'oliver@hughes.example', '+447911555105', 'Bristol', 'GB', 'UNSUBSCRIBED'),
  customer('Hannah', 'Nguyen', 'hannah.nguyen@mail.example', '+14155552106', 'Portland', 'US', ''),
  customer('Giulia', 'Conti', 'giulia@conti.example', '+393475555107', 'Bologna', 'IT', 'SUBSCRIBED'),
  customer('Arjun', 'Mehta', 'arjun@mehta.example', '+919876555108', 'Pune', 'IN', ''),
  customer('Guest', 'Without Phone', 'guest@mail.example', '', 'Madrid', 'ES', ''),
];

export const sampleProducts: readonly (readonly [title: string, price: string])[] = [
  ['Mug, sea green', '18.00'],
  ['Serving bowl', '42.50'],
  ['Espresso cups, set of four', '36.00'],
  ['Vase, tall', '58.00'],
  ['Breakfast plate', '21.00'],
];

function customer(
  firstName: string,
  lastName: string,
  email: string,
  phone: string,
  city: string,
  country: string,
  smsState: string,
): Record<string, string> {
  return {
    ...{ firstName, lastName, email, phone, city, country, tags: 'ceramics' },
    locale: { ES: 'es', DE: 'de', FR: 'fr', PT: 'pt' }[country] ?? 'en',
    ...(smsState && { smsState, smsSource: 'SHOPIFY' }),
  };
}
