using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Parts;

[ApiController]
[Route("bulk")]
public class BulkController : ControllerBase
{
    private readonly DbContext _db;

    public BulkController(DbContext db)
    {
        _db = db;
    }

    [HttpDelete("ids")]
    public int Ids(string ids)
    {
        var list = string.Join(",", ids.Split(',').Select(int.Parse).Distinct());
        return _db.Database.ExecuteSqlRaw("DELETE FROM part WHERE id IN (" + list + ")");
    }

    [HttpDelete("codes")]
    public int Codes(string codes)
    {
        var list = string.Join(",", from c in codes.Split(',') where c.Length > 0 select "'" + c.Trim() + "'");
        return _db.Database.ExecuteSqlRaw("DELETE FROM part WHERE code IN (" + list + ")");
    }

    [HttpDelete("makers")]
    public int Makers([FromQuery] string[] maker)
    {
        var marks = string.Join(",", maker.Select((_, i) => "{" + i + "}"));
        return _db.Database.ExecuteSqlRaw("DELETE FROM part WHERE maker IN (" + marks + ")", maker.Cast<object>().ToArray());
    }

    [HttpDelete("longest")]
    public int Longest([FromQuery] string[] name)
    {
        var longest = name.OrderByDescending(n => n.Length).First();
        return _db.Database.ExecuteSqlRaw($"DELETE FROM part WHERE name = '{longest}'");
    }
}
