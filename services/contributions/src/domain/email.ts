import { asciiAddress } from '@knowledge/runtime';

/** Converts an e-mail to ASCII and lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership). */
export function foldEmail(email: string): string {
  return asciiAddress(email).toLowerCase();
}
