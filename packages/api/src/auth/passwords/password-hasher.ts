import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** How passwords are kept. Both are as slow for who guesses as for who knows. */
export type PasswordHasher = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** That of the product: scrypt with a salt for each, in threads of its own. */
export const scryptHasher: PasswordHasher = {
  hash: hashPassword,
  verify: (password, hash) => verifyPassword({ hash, password }),
};
