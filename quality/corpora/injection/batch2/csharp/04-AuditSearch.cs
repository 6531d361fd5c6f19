using System.Text;
using System.Web.Http;
using MySqlConnector;

namespace Bank.Audit
{
    public class AuditSearchController : ApiController
    {
        private readonly MySqlConnection _db = new MySqlConnection("Server=db;Database=audit;Uid=audit");

        [HttpGet]
        public IHttpActionResult Search(string user = null, string action = null)
        {
            var sb = new StringBuilder("SELECT COUNT(*) FROM audit WHERE 1 = 1");
            _db.Open();
            using (var cmd = _db.CreateCommand())
            {
                if (user != null)
                {
                    sb.Append(" AND usr = @user");
                    cmd.Parameters.AddWithValue("@user", user);
                }
                if (action != null)
                {
                    sb.AppendFormat(" AND action = '{0}'", action);
                }
                cmd.CommandText = sb.ToString();
                return Ok(cmd.ExecuteScalar());
            }
        }

        [HttpGet]
        public IHttpActionResult Count([FromUri] string[] users)
        {
            var sb = new StringBuilder();
            _db.Open();
            using (var cmd = _db.CreateCommand())
            {
                for (int i = 0; i < users.Length; i++)
                {
                    sb.Append(i == 0 ? "" : ",").Append("@u").Append(i);
                    cmd.Parameters.AddWithValue("@u" + i, users[i]);
                }
                cmd.CommandText = "SELECT COUNT(*) FROM audit WHERE usr IN (" + sb + ")";
                return Ok(cmd.ExecuteScalar());
            }
        }
    }
}
