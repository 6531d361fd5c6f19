using System;
using System.Collections.Generic;
using System.Data.SqlClient;
using System.Web.Mvc;

namespace Clinic.Web.Controllers
{
    public class PatientsController : Controller
    {
        private const string ByName = "SELECT Id, Name FROM Patient WHERE Name LIKE '%{0}%' AND Ward = {1}";
        private readonly string _cs = System.Configuration.ConfigurationManager.ConnectionStrings["clinic"].ConnectionString;

        public ActionResult Search(string name, int ward)
        {
            var list = new List<string>();
            using (var con = new SqlConnection(_cs))
            {
                con.Open();
                var cmd = new SqlCommand(string.Format(ByName, name, ward), con);
                using (var reader = cmd.ExecuteReader())
                {
                    while (reader.Read())
                        list.Add(reader.GetString(1));
                }
            }
            return Json(list, JsonRequestBehavior.AllowGet);
        }

        public ActionResult Ward(int ward)
        {
            using (var con = new SqlConnection(_cs))
            {
                con.Open();
                var cmd = new SqlCommand(string.Format("SELECT COUNT(*) FROM Patient WHERE Ward = {0}", ward), con);
                return Content(cmd.ExecuteScalar().ToString());
            }
        }

        [HttpPost]
        public ActionResult Note(Guid id, string note)
        {
            using (var con = new SqlConnection(_cs))
            using (var cmd = con.CreateCommand())
            {
                con.Open();
                cmd.CommandText = $"UPDATE Patient SET Note = N'{note}' WHERE Id = @id";
                cmd.Parameters.AddWithValue("@id", id);
                cmd.ExecuteNonQuery();
            }
            return new HttpStatusCodeResult(204);
        }
    }
}
