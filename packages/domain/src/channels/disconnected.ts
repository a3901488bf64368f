/** Code of the stop of a number that a person took off. */
export const DISCONNECTED = 'disconnected';
