/** What a limit of quota counts, for people; the name itself if only a newer service knows it. */
export function limitWords(policy: string): string {
  return words[policy] ?? policy;
}

const words: Readonly<Record<string, string>> = {
  read_verified_email: 'articles read with a token, a day',
  read_client_id: 'articles read with one client id, a day',
  read_address: 'articles read without a client id, a day',
  read_address_cap: 'all anonymous articles of one IP address, a day',
  contribute_mailbox: 'contributions, a day',
  authorize_mailbox: 'requests for access, an hour',
  authorize_mailbox_day: 'requests for access, a day',
  authorize_address: 'requests for access from one IP address, an hour',
  authorize_domain: 'requests for access to one mail domain, an hour',
  authorize_service: 'requests for access to all mailboxes, an hour',
  link_mailbox: 'mails with the access link, an hour',
  link_mailbox_day: 'mails with the access link, a day',
  link_address: 'mails with the access link asked from one IP address, an hour',
};
