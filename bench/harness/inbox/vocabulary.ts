/** Words of customers and staff in several languages, the most frequent first; behind them stand made-up ones, as rare as names and typing errors are. */
const FREQUENT =
  'the you for please is it and to my order i have what can hello thanks yes no de when delivery today price a of in on your we are not with this que will how much un ok por me size available still need send sent will arrived address the number invoice parcel favor obrigado gracias danke bitte wann noch ist mein bestellung lieferung preis heute morgen amanhã hoje pedido preço quando entrega envio está não sim olá bom dia hola buenos días cuánto cuesta talla zapatos chaussures merci bonjour livraison commande prix aujourd’hui demain combien taille colour blue black red white green Größe Straße Schuhe können würde gerne zurück return refund exchange broken wrong missing late waiting help question payment card bank transfer paid discount code voucher shop store open closed hours appointment monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december morning evening photo picture video document receipt customer service team manager agent call phone email account login password app website link track tracking shipping express standard warehouse stock sold out new arrival season sale offer birthday gift wrap note box bag shirt dress jacket trousers skirt coat hat scarf gloves socks boots sandals sneakers leather cotton wool silk linen small medium large extra'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi fo ga ge go ha he hi ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi wa we za zo ção ña schen tion ler'.split(
    ' ',
  );
const WORDS = 60_000;

/** Chance that is the same in each run. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Sentences whose words are as unequally frequent as those of people: the n-th is one n-th as frequent as the first. */
export function createSentences(chance: () => number): (length: number) => string {
  const words = [...new Set(FREQUENT)];
  const known = new Set(words);
  while (words.length < WORDS) {
    let word = '';
    for (let part = 2 + Math.floor(chance() * 3); part > 0; part -= 1)
      word += SYLLABLES[Math.floor(chance() * SYLLABLES.length)];
    if (known.has(word)) continue;
    known.add(word);
    words.push(word);
  }
  const range = Math.log(words.length);
  return (length) => {
    let sentence = words[Math.floor(Math.exp(chance() * range)) - 1] ?? '';
    for (let place = 1; place < length; place += 1)
      sentence += ` ${words[Math.floor(Math.exp(chance() * range)) - 1]}`;
    return sentence;
  };
}
