import { expect, it } from 'vitest';
import { ConfigError } from '../config/read-config.js';
import { openMongoClient } from './connect.js';

const unescaped =
  'it is no valid connection string. In user and password write % as %25, / as %2F, ? as %3F, # as %23, @ as %40, : as %3A.';
const expected = 'Expected mongodb://user:password@host:27017/?replicaSet=name.';

it.each([
  ['mongodb://ada:100%secret@h/', unescaped],
  ['mongodb://ada:secret#b@h/', unescaped],
  ['mongodb://ada:p@secret@h/', unescaped],
  ['mongodb://ada:secret/q@h:27017/', unescaped],
  ['mongodb://ada:p:secret@h/', unescaped],
  ['mongodb://ada:p?secret=x@h/', unescaped],
  ['mongodb://ada:secret@h:secret/', unescaped],
  ['mongodb://::1:27017/', unescaped],
  ['mongodb://h/?foo=1', 'option foo is not supported. Correct its name, or leave it out.'],
  ['mongodb://ada:secret@h/?fo=1&ba=2', 'options fo, ba are not supported. Correct its name, or leave it out.'],
  ['mongodb://ada:secret@h/?replicaSet=', `URI option "replicaSet" cannot be specified with no value. ${expected}`],
  ['mongodb+srv://h:27017/', `mongodb+srv URI cannot have port number. ${expected}`],
  ['mongodb://h:99999/', `Unable to parse h:99999 with URL. ${expected}`],
])('names the fault of %s and the remedy, without the password', (uri, fault) => {
  expect(() => openMongoClient(uri, {})).toThrow(new ConfigError([`MONGODB_URI cannot be used: ${fault}`]));
});

it('takes what the driver takes', async () => {
  for (const uri of ['mongodb://ada:p%40ss%25@h/?replicaSet=rs0', 'mongodb://[::1]:27017,b/', 'mongodb+srv://h'])
    await openMongoClient(uri, {}).close();
});
