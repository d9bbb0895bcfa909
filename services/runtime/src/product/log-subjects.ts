/** What the entries of each service's log are about. */
export const logSubjects = {
  content: ['article', 'article_draft', 'highlights', 'object', 'synonyms'],
  contributions: ['contribution', 'prompt', 'reason', 'person'],
  identity: ['authorization', 'token', 'person', 'session', 'mail_domain'],
  quota: ['email', 'client_id', 'address', 'mail_domain', 'service', 'ceiling'],
} as const;

export type LogSubject<Service extends keyof typeof logSubjects = keyof typeof logSubjects> =
  (typeof logSubjects)[Service][number];
