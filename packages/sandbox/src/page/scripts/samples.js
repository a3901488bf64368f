// Messages that a phone has ready, in the platform's shape.

const text = (body) => ({ type: 'text', text: { body } });

export const pictures = {
  Photo: { sample: 'photo', caption: 'The view from here' },
  Video: { sample: 'video' },
  'Voice message': { sample: 'voice' },
  Audio: { sample: 'audio' },
  Document: { sample: 'document', filename: 'Order A-1042.pdf' },
  Sticker: { sample: 'sticker' },
};

export const place = {
  type: 'location',
  location: {
    latitude: 51.5074,
    longitude: -0.1278,
    name: 'Shop',
    address: '1 High St, London',
    url: 'https://shop.example',
  },
};

export const contact = (name, phone) => {
  const digits = phone.replace(/\D/g, '');
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: name, first_name: name.split(' ')[0] },
        phones: [{ phone, wa_id: digits, type: 'CELL' }],
        origin: 'other',
        vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${digits}:${phone}\nEND:VCARD`,
      },
    ],
  };
};

export const order = (catalogId, products) => ({
  type: 'order',
  order: {
    catalog_id: catalogId || '600000000000001',
    text: '',
    product_items: products.map(({ id, quantity, price }) => ({
      product_retailer_id: id,
      quantity,
      item_price: price,
      currency: 'GBP',
    })),
  },
});

export const advert = {
  ...text('Hello! I saw your advert. Is it still available?'),
  referral: {
    source_url: 'https://ads.example/summer',
    source_id: '120000000000001',
    source_type: 'ad',
    headline: 'Summer sale',
    body: '20% off everything until Sunday',
    media_type: 'image',
    image_url: 'https://ads.example/summer.jpg',
    ctwa_clid: 'click-0001',
    welcome_message: { text: 'Hi, how can we help?' },
  },
};

export const flowAnswer = (token, name, body, answers) => ({
  type: 'interactive',
  interactive: {
    type: 'nfm_reply',
    nfm_reply: {
      name,
      body,
      response_json: JSON.stringify({ ...(token === null ? {} : { flow_token: token }), ...answers }),
    },
  },
});

export const callPermission = (isGranted) => ({
  type: 'interactive',
  interactive: {
    type: 'call_permission_reply',
    call_permission_reply: {
      response: isGranted ? 'accept' : 'reject',
      ...(isGranted ? { expiration_timestamp: Math.floor(Date.now() / 1000) + 7 * 86_400 } : {}),
      response_source: 'user_action',
    },
  },
});

const unreadable = (code, title, details, kind) => ({
  type: 'unsupported',
  errors: [{ code, title, message: title, error_data: { details } }],
  unsupported: { type: kind },
});

export const unreadables = {
  Poll: unreadable(
    131051,
    'Message type unknown',
    'Message type is currently not supported.',
    'poll_creation',
  ),
  'File above 100 MB': unreadable(
    131052,
    'Media download error',
    'Failed to download the media from the sender',
    'video',
  ),
  'Held back for now': unreadable(
    131060,
    'Message unavailable',
    'This message is currently unavailable',
    'media_placeholder',
  ),
};

/** A bare pin has no name. */
export const pin = { type: 'location', location: { latitude: 48.8584, longitude: 2.2945 } };
