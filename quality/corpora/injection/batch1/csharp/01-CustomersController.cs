using System.Collections.Generic;
using System.Data.SqlClient;
using System.Web.Mvc;

namespace Shop.Web.Controllers
{
    public class CustomersController : Controller
    {
        private const string Cs = "Server=db;Database=shop;Integrated Security=true";

        private string Text(string name)
        {
            var v = Request.QueryString[name];
            return v == null ? string.Empty : v.Trim();
        }

        private static string Where(string column, string value)
        {
            return column + " = '" + value + "'";
        }

        public ActionResult Index()
        {
            var names = new List<string>();
            using (var con = new SqlConnection(Cs))
            {
                con.Open();
                var sql = "SELECT Name FROM Customer WHERE " + Where("City", Text("city"));
                using (var reader = new SqlCommand(sql, con).ExecuteReader())
                {
                    while (reader.Read()) names.Add(reader.GetString(0));
                }
                var open = new SqlCommand("SELECT COUNT(*) FROM Customer WHERE " + Where("State", "open"), con).ExecuteScalar();
                ViewBag.Open = open;
            }
            return View(names);
        }
    }
}
