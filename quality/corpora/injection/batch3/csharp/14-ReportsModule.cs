using System.Collections.Generic;
using System.Linq;
using Nancy;
using NHibernate;

namespace Reports
{
    public class ReportsModule : NancyModule
    {
        private static string Column(string sort)
        {
            switch (sort)
            {
                case "name": return "Name";
                case "total": return "Total";
                default: return "CreatedAt";
            }
        }

        private static string ListColumn(string sort)
        {
            return sort switch
            {
                null => "CreatedAt",
                "" => "CreatedAt",
                _ => sort,
            };
        }

        public ReportsModule(ISessionFactory factory) : base("/reports")
        {
            Get("/", _ =>
            {
                using (var session = factory.OpenSession())
                {
                    string sort = Request.Query["sort"];
                    string dir = Request.Query["dir"] == "desc" ? "desc" : "asc";
                    return session.CreateSQLQuery("SELECT Name FROM Report ORDER BY " + Column(sort) + " " + dir).List<string>();
                }
            });

            Get("/all", _ =>
            {
                using (var session = factory.OpenSession())
                {
                    string sort = Request.Query["sort"];
                    return session.CreateSQLQuery("SELECT Name FROM Report ORDER BY " + ListColumn(sort)).List<string>();
                }
            });

            Get("/owner/{owner}", p =>
            {
                using (var session = factory.OpenSession())
                {
                    string owner = p.owner;
                    IList<object> rows = session.CreateQuery("from Report r where r.Owner = '" + owner + "'").List<object>();
                    return Response.AsJson(rows.Count);
                }
            });

            Get("/of/{owner}", p =>
            {
                using (var session = factory.OpenSession())
                {
                    string owner = p.owner;
                    return session.CreateQuery("from Report r where r.Owner = :o").SetString("o", owner).List<object>().Count();
                }
            });
        }
    }
}
