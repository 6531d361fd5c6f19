using System.Collections.Generic;
using System.Data.OleDb;
using System.Diagnostics;
using System.Text;
using System.Web.Mvc;

namespace Legacy.Export
{
    public class ExportController : Controller
    {
        private static readonly HashSet<string> Tables = new HashSet<string> { "Orders", "Clients", "Parts" };

        public ActionResult Csv(string table)
        {
            bool known = Tables.Contains(table);
            if (!known)
            {
                Trace.TraceWarning("export of " + table);
            }

            var sb = new StringBuilder();
            using (var con = new OleDbConnection("Provider=Microsoft.ACE.OLEDB.12.0;Data Source=D:\\data\\shop.accdb"))
            {
                con.Open();
                using (var reader = new OleDbCommand("SELECT * FROM " + table, con).ExecuteReader())
                {
                    while (reader.Read())
                    {
                        sb.AppendLine(reader[0].ToString());
                    }
                }
                if (known)
                {
                    new OleDbCommand("UPDATE Exports SET N = N + 1 WHERE Tbl = '" + table + "'", con).ExecuteNonQuery();
                }
            }
            return Content(sb.ToString(), "text/csv");
        }
    }
}
