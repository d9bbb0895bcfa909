import { BSON, MongoClient } from 'mongodb';

/** Everything that the databases of a system hold, as text. */
export async function dumpOf(uri: string, databases: readonly string[]): Promise<string> {
  const client = new MongoClient(uri);
  try {
    const parts: string[] = [];
    for (const name of databases) {
      const db = client.db(name);
      for (const { name: collection, type } of await db.listCollections().toArray()) {
        if (type === 'view') continue;
        for await (const document of db.collection(collection).find()) parts.push(BSON.EJSON.stringify(document));
      }
    }
    return parts.join('\n');
  } finally {
    await client.close();
  }
}

/**
 * The secrets that a text holds: whole, without the id before the dot, or as hexadecimal or base64 of their bytes. Linear in
 * the text, however many secrets there are.
 */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  const forms = new Set(secrets.flatMap(formsOf));
  const found = [/[\w-]{43,}/g, /[\w.-]{43,}/g, /[A-Za-z0-9+/]{42,}={0,2}/g].flatMap((runs) =>
    [...text.matchAll(runs)].map(([run]) => run).filter((run) => forms.has(run)),
  );
  // What has the form of a code with its id, or of a token, must not be there at all, whoever's it is.
  return [...found, ...(text.match(/[0-9a-f-]{36}\.[\w-]{43}|cks_[0-9A-Za-z]{49}/g) ?? [])];
}

function formsOf(secret: string): string[] {
  const bare = secret.replace(/^[0-9a-f-]{36}\.|^cks_/, '');
  const bytes = [Buffer.from(bare), Buffer.from(secret), Buffer.from(bare, 'base64url')];
  return [secret, bare, ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')])];
}
