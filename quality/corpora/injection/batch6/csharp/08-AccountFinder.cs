using System;
using System.Collections.Generic;
using System.Data.Common;
using System.DirectoryServices;
using System.Globalization;
using System.Text;
using System.Web.Mvc;

namespace Acme.Accounts.Controllers
{
    public class AccountFinderController : Controller
    {
        private const string Root = "LDAP://dc01.acme.local/OU=Staff,DC=acme,DC=local";

        private readonly DbConnection _history;

        public AccountFinderController(DbConnection history)
        {
            _history = history;
        }

        private static string Escape(string value)
        {
            var sb = new StringBuilder(value.Length * 2);
            foreach (var c in value)
            {
                switch (c)
                {
                    case '\\': sb.Append("\\5c"); break;
                    case '*': sb.Append("\\2a"); break;
                    case '(': sb.Append("\\28"); break;
                    case ')': sb.Append("\\29"); break;
                    case '\0': sb.Append("\\00"); break;
                    default: sb.Append(c); break;
                }
            }
            return sb.ToString();
        }

        public ActionResult Account(string login)
        {
            using (var entry = new DirectoryEntry(Root))
            using (var searcher = new DirectorySearcher(entry))
            {
                searcher.Filter = "(&(objectClass=user)(sAMAccountName=" + login.Replace("*", "") + "))";
                var hit = searcher.FindOne();
                return hit == null ? (ActionResult)HttpNotFound() : Json(hit.Path, JsonRequestBehavior.AllowGet);
            }
        }

        public ActionResult Mail(string address)
        {
            using (var entry = new DirectoryEntry(Root))
            using (var searcher = new DirectorySearcher(entry))
            {
                searcher.Filter = "(&(objectClass=user)(mail=" + Escape(address) + "))";
                var hit = searcher.FindOne();
                return hit == null ? (ActionResult)HttpNotFound() : Json(hit.Path, JsonRequestBehavior.AllowGet);
            }
        }

        public ActionResult History(string since, string login)
        {
            DateTime start;
            if (!DateTime.TryParse(since, CultureInfo.InvariantCulture, DateTimeStyles.None, out start))
            {
                start = DateTime.Today.AddDays(-30);
            }
            using (var cmd = _history.CreateCommand())
            {
                cmd.CommandText = "SELECT at, host FROM logon WHERE at >= '" + start.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) + "'";
                return Json(Rows(cmd), JsonRequestBehavior.AllowGet);
            }
        }

        public ActionResult Hosts(string prefix)
        {
            using (var cmd = _history.CreateCommand())
            {
                cmd.CommandText = "SELECT at, host FROM logon WHERE host LIKE '" + Escape(prefix) + "%'";
                return Json(Rows(cmd), JsonRequestBehavior.AllowGet);
            }
        }

        private static List<string> Rows(DbCommand cmd)
        {
            var list = new List<string>();
            using (var reader = cmd.ExecuteReader())
            {
                while (reader.Read())
                {
                    list.Add(reader.GetDateTime(0).ToString("s") + " " + reader.GetString(1));
                }
            }
            return list;
        }
    }
}
