import { clsx } from 'clsx';

export const classNames = clsx;
