import { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import postgres from 'postgres';

const sql = postgres(process.env.PG_URL!);

function tableFor(region: string | undefined): string {
  switch (region) {
    case 'eu':
      return 'fees_eu';
    case 'us':
    case 'ca':
      return 'fees_na';
    default:
      return 'fees_world';
  }
}

function viewFor(name: string): string {
  let view: string;
  switch (name) {
    case '':
      view = 'fee_summary';
      break;
    case 'old':
      view = 'fee_summary_2023';
      break;
    default:
      view = 'fee_' + name;
  }
  return view;
}

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const q = event.queryStringParameters ?? {};
  const table = tableFor(q.region);
  const fees = await sql.unsafe(`SELECT code, amount FROM ${table} WHERE active`);
  const view = viewFor(q.view ?? '');
  const summary = await sql.unsafe(`SELECT * FROM ${view}`);
  return { statusCode: 200, body: JSON.stringify({ fees, summary }) };
};
