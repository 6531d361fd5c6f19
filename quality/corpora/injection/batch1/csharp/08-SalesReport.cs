using System.Linq;
using System.Text;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Sales;

public class Sale
{
    public int Id { get; set; }
    public string Region { get; set; } = "";
}

public class SalesContext : DbContext
{
    public DbSet<Sale> Sales => Set<Sale>();
}

[Route("sales")]
public class SalesReport : ControllerBase
{
    private readonly SalesContext _db;

    public SalesReport(SalesContext db) => _db = db;

    [HttpGet]
    public IActionResult List(string region, int? year)
    {
        var sb = new StringBuilder("SELECT * FROM Sales WHERE 1 = 1");
        if (!string.IsNullOrEmpty(region))
            sb.AppendFormat(" AND Region = '{0}'", region);
        if (year.HasValue)
            sb.Append(" AND Year = ").Append(year.Value);
        return Ok(_db.Sales.FromSqlRaw(sb.ToString()).ToList());
    }

    [HttpGet("year/{year:int}")]
    public IActionResult Year(int year)
    {
        var sql = string.Format("SELECT * FROM Sales WHERE Year = {0}", year);
        return Ok(_db.Sales.FromSqlRaw(sql).ToList());
    }

    [HttpGet("region")]
    public IActionResult Region(string region)
    {
        return Ok(_db.Sales.FromSqlInterpolated($"SELECT * FROM Sales WHERE Region = {region}").ToList());
    }
}
