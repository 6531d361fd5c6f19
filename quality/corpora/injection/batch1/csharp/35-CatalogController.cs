using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Catalog;

public class Item
{
    public int Id { get; set; }
    public string Maker { get; set; } = "";
    public string Color { get; set; } = "";
}

public class CatalogContext : DbContext
{
    public DbSet<Item> Items => Set<Item>();
}

[Route("catalog")]
public class CatalogController : Controller
{
    private readonly CatalogContext _db;

    public CatalogController(CatalogContext db) => _db = db;

    [HttpGet("maker")]
    public IActionResult Maker(string maker)
    {
        return Json(_db.Items.Where(i => i.Maker == maker).OrderBy(i => i.Id).ToList());
    }

    [HttpGet("color")]
    public IActionResult Color(string color)
    {
        return Json(_db.Items.FromSqlRaw("SELECT * FROM Items WHERE Color = '" + color + "'").ToList());
    }

    [HttpGet("bound")]
    public IActionResult Bound(string color)
    {
        return Json(_db.Items.FromSqlRaw("SELECT * FROM Items WHERE Color = {0}", color).ToList());
    }

    [HttpDelete("batch")]
    public IActionResult Purge(string batch)
    {
        var n = _db.Database.ExecuteSqlRaw($"DELETE FROM Items WHERE Batch = '{batch}'");
        return Ok(n);
    }

    [HttpGet("sorted")]
    public IActionResult Sorted(string sort)
    {
        return Json(_db.Items.FromSqlRaw("SELECT * FROM Items ORDER BY " + sort).AsEnumerable().Select(i => i.Id));
    }
}
