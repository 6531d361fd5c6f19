using System.Collections.Generic;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

namespace Library.Search
{
    public interface IFinder
    {
        IEnumerable<string> Find(string term);
    }

    public abstract class PgFinder : IFinder
    {
        protected NpgsqlConnection Open() => new NpgsqlConnection("Host=db;Database=library");
        public abstract IEnumerable<string> Find(string term);
    }

    public class TitleFinder : PgFinder
    {
        public override IEnumerable<string> Find(string term)
        {
            using var con = Open();
            return con.Query<string>("SELECT title FROM book WHERE title = @term", new { term });
        }
    }

    public class AuthorFinder : PgFinder
    {
        public override IEnumerable<string> Find(string term)
        {
            using var con = Open();
            return con.Query<string>($"SELECT title FROM book WHERE author = '{term}'");
        }
    }

    [Route("books")]
    public class BooksController : ControllerBase
    {
        [HttpGet("{kind}")]
        public IActionResult Get(string kind, [FromQuery] string q)
        {
            IFinder finder = kind == "author" ? new AuthorFinder() : new TitleFinder();
            return Ok(finder.Find(q));
        }
    }
}
