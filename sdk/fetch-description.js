// Prints a server's description in the stored form: each endpoint and each schema on its own line. INLAY_BIN is the server's
// path.
import { Service } from '../end2end/support/service.js';

const lines = (entries) =>
  `{\n${Object.entries(entries)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}`;

const service = await Service.start('http://localhost');
const { paths, components, ...rest } = await (await fetch(`${service.url}/openapi.json`)).json();
const { schemas, ...parts } = components;
const head = JSON.stringify(rest).slice(0, -1);
process.stdout.write(
  `${head},\n"paths": ${lines(paths)},\n"components": ${JSON.stringify(parts).slice(0, -1)},\n"schemas": ${lines(schemas)}}}\n`,
);
await service.stop();
