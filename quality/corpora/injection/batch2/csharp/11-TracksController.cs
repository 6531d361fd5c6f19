using System;
using System.Collections.Generic;
using System.Data;
using System.Linq;
using Dapper;
using Microsoft.AspNetCore.Mvc;

[Route("tracks")]
public class TracksController : Controller
{
    private readonly IDbConnection _db;

    private static readonly HashSet<string> Sortable = new(StringComparer.OrdinalIgnoreCase) { "title", "plays", "added" };

    public TracksController(IDbConnection db) => _db = db;

    [HttpGet]
    public IActionResult Index(string genre, string sort)
    {
        if (!Sortable.Contains(sort))
        {
            sort = "title";
        }
        return Json(_db.Query($"SELECT * FROM track WHERE genre = @genre ORDER BY {sort}", new { genre }));
    }

    [HttpGet("new")]
    public IActionResult Newest(string genre, string sort)
    {
        var column = sort.Replace("'", "''").Replace(";", "");
        return Json(_db.Query($"SELECT * FROM track WHERE genre = @genre ORDER BY {column} DESC", new { genre }));
    }

    [HttpGet("grouped")]
    public IActionResult Grouped(string by)
    {
        return Json(_db.Query("SELECT " + by + ", COUNT(*) FROM track GROUP BY " + by).ToList());
    }
}
