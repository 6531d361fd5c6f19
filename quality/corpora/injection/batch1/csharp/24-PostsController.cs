using System;
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using NHibernate;

namespace Blog;

[Route("posts")]
public class PostsController : Controller
{
    private readonly ISession _session;

    public PostsController(ISession session) => _session = session;

    [HttpGet("page")]
    public IActionResult Page(string page)
    {
        var p = Convert.ToInt32(page);
        return Json(_session.CreateSQLQuery("SELECT title FROM post LIMIT 20 OFFSET " + p * 20).List());
    }

    [HttpGet("author")]
    public IActionResult Author(string author)
    {
        if (!Guid.TryParse(author, out var id))
            return BadRequest();
        return Json(_session.CreateSQLQuery($"SELECT title FROM post WHERE author = '{id}'").List());
    }

    [HttpGet("year")]
    public IActionResult Year(string year)
    {
        int.TryParse(year, out var number);
        ViewData["year"] = number;
        return Json(_session.CreateSQLQuery("SELECT title FROM post WHERE year = " + year).List());
    }

    [HttpGet("rating")]
    public IActionResult Rating(string min)
    {
        if (!char.IsDigit(min[0]))
            return BadRequest();
        return Json(_session.CreateSQLQuery("SELECT title FROM post WHERE rating >= " + min).List());
    }
}
