/** Masks an address for the agent, such as `j•••@example.org`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
}
