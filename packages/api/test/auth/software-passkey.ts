import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

type Options = { challenge: string; rpId?: string; rp?: { id: string } };

/** A passkey as a device keeps it: its own key pair, which signs what a site asks for. Real signatures, written by hand. */
export function createSoftwarePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const site = (rpId: string, flags: number) => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const shared = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    /** What a browser answers to `navigator.credentials.create`. */
    make({ challenge, rp }: Options) {
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x!, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y!, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authenticator = Buffer.concat([
        ...[site(rp!.id, USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL), Buffer.alloc(16), length, id, key],
      ]);
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticator)],
      ]);
      return {
        ...shared,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    /** What a browser answers to `navigator.credentials.get`. */
    answer({ challenge, rpId = 'localhost' }: Options, { isVerified = true } = {}) {
      const authenticator = site(rpId, isVerified ? USER_PRESENT_AND_VERIFIED : 0x01);
      const client = clientData('webauthn.get', challenge);
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticator.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authenticator, sha256(client)]), privateKey).toString(
            'base64url',
          ),
        },
        clientExtensionResults: {},
      };
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The head of a CBOR item: its kind and a number up to 65,535. */
function cborHead(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 255]);
}

function cborInt(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
